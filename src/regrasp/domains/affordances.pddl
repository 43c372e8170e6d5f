; What a robot can do with objects, by what the objects allow. Types are roles here; `affordances.py`
; replaces each role with the kinds of objects that play it, and leaves out what no object allows.
;
;   pickable   can be picked up             openable   has a door or a lid
;   stackable  pickable, takes one thing    container  takes things inside
;   narrow     fixed, takes one thing       shuttable  container that is openable
;   wide       fixed, takes many things     plate      is pressed by what is placed on it
;   puller     can be pulled                presser    can be pressed
;
; A lock is known only by what the robot feels: everything is taken to be unlocked until opening it
; fails. Pulling, pressing or loading a plate may unlock anything, which only trying can show.
;
; `find_in` is the robot's skill `open`. It names what is looked for, so that after opening the vision
; model is asked for that object. If it is not visible, what stands open has been searched for it
; (`searched`, in the lexicon), and it is looked for elsewhere. `place_on`, `stack_on`, `weigh_down` and `place_in` are its skill
; `place`: a planner tells them apart, because they need and make different facts.
(define (domain affordances)
  (:requirements :adl)
  (:types
    pickable openable container narrow wide plate puller presser - object
    stackable - pickable
    shuttable - container)

  (:predicates
    (holding ?x - pickable)
    (handempty)
    (on ?x - pickable ?y - (either wide narrow plate stackable))
    (inside ?x - pickable ?y - container)
    (closed ?y - (either openable shuttable))
    (visible ?x - pickable)
    (blocking ?x - pickable ?y - (either openable shuttable))
    (unlocked ?y - (either openable shuttable))
    (searched ?x - pickable ?y - (either openable shuttable))
    (pulled ?l - puller)
    (pressed ?l - presser))

  (:action open
    :parameters (?y - (either openable shuttable))
    :precondition (and (closed ?y) (handempty) (unlocked ?y)
                       (forall (?z - pickable) (not (blocking ?z ?y))))
    :effect (not (closed ?y)))

  ; An object that is known to be inside another closed container is not looked for here.
  (:action find_in
    :parameters (?x - pickable ?y - (either openable shuttable))
    :precondition (and (closed ?y) (handempty) (unlocked ?y) (not (visible ?x)) (not (= ?x ?y))
                       (not (searched ?x ?y))
                       (forall (?z - pickable) (not (blocking ?z ?y)))
                       (forall (?c - shuttable)
                         (not (and (inside ?x ?c) (closed ?c) (not (= ?c ?y))))))
    :effect (and (not (closed ?y)) (visible ?x)))

  (:action close
    :parameters (?y - (either openable shuttable))
    :precondition (and (handempty) (not (closed ?y)))
    :effect (and (closed ?y)
                 (forall (?z - pickable) (when (inside ?z ?y) (not (visible ?z))))))

  (:action pull
    :parameters (?l - puller)
    :precondition (handempty)
    :effect (and (pulled ?l) (forall (?y - (either openable shuttable)) (unlocked ?y))))

  (:action press
    :parameters (?l - presser)
    :precondition (handempty)
    :effect (and (pressed ?l) (forall (?y - (either openable shuttable)) (unlocked ?y))))

  (:action pick
    :parameters (?x - pickable)
    :precondition (and (handempty)
                       (forall (?z - pickable) (not (on ?z ?x)))
                       (forall (?c - shuttable) (not (and (inside ?x ?c) (closed ?c)))))
    :effect (and (holding ?x) (not (handempty))
                 (forall (?y - (either wide narrow plate stackable)) (not (on ?x ?y)))
                 (forall (?y - container) (not (inside ?x ?y)))
                 (forall (?y - (either openable shuttable)) (not (blocking ?x ?y)))))

  (:action place_on
    :parameters (?x - pickable ?y - wide)
    :precondition (holding ?x)
    :effect (and (on ?x ?y) (handempty) (not (holding ?x))))

  (:action stack_on
    :parameters (?x - pickable ?y - (either narrow stackable))
    :precondition (and (holding ?x) (not (= ?x ?y)) (forall (?z - pickable) (not (on ?z ?y))))
    :effect (and (on ?x ?y) (handempty) (not (holding ?x))))

  (:action weigh_down
    :parameters (?x - pickable ?y - plate)
    :precondition (holding ?x)
    :effect (and (on ?x ?y) (handempty) (not (holding ?x))
                 (forall (?o - (either openable shuttable)) (unlocked ?o))))

  (:action place_in
    :parameters (?x - pickable ?y - container)
    :precondition (and (holding ?x) (not (= ?x ?y)) (not (closed ?y)))
    :effect (and (inside ?x ?y) (handempty) (not (holding ?x))))

  ; Where the object goes is the robot's choice, so nothing is known of its new place.
  (:action move_away
    :parameters (?x - pickable ?y - (either openable shuttable narrow plate stackable))
    :precondition (and (handempty) (not (= ?x ?y)) (forall (?z - pickable) (not (on ?z ?x)))
                       (or (blocking ?x ?y) (on ?x ?y)))
    :effect (and (not (blocking ?x ?y)) (not (on ?x ?y)) (not (inside ?x ?y)))))
