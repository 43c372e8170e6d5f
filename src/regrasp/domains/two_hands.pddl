; A robot with two hands at a table: bar, pizza kitchen and blocks. The actions are the commands of CoPAL
; (its table I), with what they need and what they change.
;
;   on, inside   a thing is at one place or in one hand. What stands on a shelf, the table, the tray or a
;                machine is on it; what is behind a door is inside.
;   contains     a vessel has some of a substance, however little. Pouring moves some of everything that is
;                in the source, so a mixture stays a mixture. How much is a quantity that no fact holds:
;                that a source is empty or a target full is learnt from what the robot reports.
;   capped       a cap is turned by one hand while the other holds the bottle.
;   baked        what is inside a closed oven that is switched on is baked by waiting.
(define (domain two_hands)
  (:requirements :adl)
  (:types
    thing hand substance - object
    portable place - thing
    surface container - place
    machine - surface
    oven - container
    vessel block - portable
    bottle bowl glass dough - vessel)

  (:constants
    left_hand right_hand - hand
    table - surface)

  (:predicates
    (holding ?h - hand ?x - portable)
    (free ?h - hand)
    (on ?x - portable ?y - (either surface block))
    (inside ?x - portable ?c - container)
    (open ?c - container)
    (capped ?b - bottle)
    (contains ?v - vessel ?s - substance)
    (empty ?v - vessel)
    (full ?v - vessel)
    (switched_on ?m - (either machine oven))
    (baked ?d - dough))

  (:action get
    :parameters (?x - portable ?y - (either place block) ?h - hand)
    :precondition (and (free ?h)
                       (or (on ?x ?y) (inside ?x ?y))
                       (forall (?c - container) (imply (= ?c ?y) (open ?c)))
                       (forall (?z - block) (not (on ?z ?x))))
    :effect (and (holding ?h ?x) (not (free ?h)) (not (on ?x ?y)) (not (inside ?x ?y))))

  ; A block takes one block; every other place takes any number of things.
  (:action put
    :parameters (?x - portable ?y - (either place block))
    :precondition (and (or (holding left_hand ?x) (holding right_hand ?x))
                       (not (= ?x ?y))
                       (not (holding left_hand ?y)) (not (holding right_hand ?y))
                       (forall (?c - container) (imply (= ?c ?y) (open ?c)))
                       (forall (?b - block)
                         (imply (= ?b ?y) (forall (?z - block) (not (on ?z ?b))))))
    :effect (and (forall (?c - container) (when (= ?c ?y) (inside ?x ?c)))
                 (forall (?s - (either surface block)) (when (= ?s ?y) (on ?x ?s)))
                 (forall (?h - hand) (when (holding ?h ?x)
                                           (and (free ?h) (not (holding ?h ?x)))))))

  (:action pour
    :parameters (?x - vessel ?y - (either glass dough))
    :precondition (and (or (holding left_hand ?x) (holding right_hand ?x))
                       (not (= ?x ?y))
                       (not (capped ?x)) (not (empty ?x)) (not (full ?y))
                       (forall (?c - container) (not (inside ?y ?c))))
    :effect (and (not (empty ?y))
                 (forall (?s - substance) (when (contains ?x ?s) (contains ?y ?s)))))

  (:action open_door
    :parameters (?c - container)
    :precondition (and (not (open ?c)) (or (free left_hand) (free right_hand)))
    :effect (open ?c))

  (:action close_door
    :parameters (?c - container)
    :precondition (and (open ?c) (or (free left_hand) (free right_hand)))
    :effect (not (open ?c)))

  (:action screw
    :parameters (?b - bottle)
    :precondition (and (not (capped ?b)) (or (holding left_hand ?b) (holding right_hand ?b))
                       (or (free left_hand) (free right_hand)))
    :effect (capped ?b))

  (:action unscrew
    :parameters (?b - bottle)
    :precondition (and (capped ?b) (or (holding left_hand ?b) (holding right_hand ?b))
                       (or (free left_hand) (free right_hand)))
    :effect (not (capped ?b)))

  ; A push button: it switches a machine on, and the next push switches it off.
  (:action finger_push
    :parameters (?m - (either machine oven))
    :precondition (or (free left_hand) (free right_hand))
    :effect (and (when (not (switched_on ?m)) (switched_on ?m))
                 (when (switched_on ?m) (not (switched_on ?m)))))

  (:action wait
    :parameters ()
    :precondition ()
    :effect (forall (?d - dough ?o - oven)
              (when (and (inside ?d ?o) (switched_on ?o) (not (open ?o))) (baked ?d)))))
