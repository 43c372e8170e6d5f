; A walking humanoid that carries boxes between tables and goes through an obstacle forest: the skills
; of DoReMi's humanoid tasks (its table 5), with what they need and what they change.
;
; What is ahead is told by sides, so that a planner knows which way to turn: something ahead on the
; left is got out of the way by turning right. Turning makes the way clear as far as anybody knows.
(define (domain walker)
  (:requirements :adl)
  (:types
    box place side - object
    support gate - place
    table ground - support)

  (:constants
    floor - ground
    left right - side)

  (:predicates
    (holding ?x - box)
    (handempty)
    (on ?x - box ?y - support)
    (at ?y - place)
    (clear ?s - side))

  (:action go_to
    :parameters (?y - table)
    :precondition (and (clear left) (clear right))
    :effect (and (at ?y) (forall (?z - place) (not (at ?z)))))

  (:action pick_up
    :parameters (?x - box ?y - table)
    :precondition (and (on ?x ?y) (at ?y) (handempty))
    :effect (and (holding ?x) (not (handempty)) (not (on ?x ?y))))

  (:action pick_up_from_floor
    :parameters (?x - box)
    :precondition (and (on ?x floor) (handempty))
    :effect (and (holding ?x) (not (handempty)) (not (on ?x floor))
                 (forall (?z - place) (not (at ?z)))))

  (:action put_down
    :parameters (?x - box ?y - table)
    :precondition (and (holding ?x) (at ?y))
    :effect (and (on ?x ?y) (handempty) (not (holding ?x))))

  (:action go_forward
    :parameters (?y - gate)
    :precondition (and (clear left) (clear right))
    :effect (and (at ?y) (forall (?z - place) (not (at ?z)))))

  (:action turn_left
    :parameters ()
    :precondition (not (clear right))
    :effect (and (clear left) (clear right)))

  (:action turn_right
    :parameters ()
    :precondition (not (clear left))
    :effect (and (clear left) (clear right))))
