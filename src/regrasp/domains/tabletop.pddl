; Blocks on a table and an arm that picks one up at a time: the skills of DoReMi's manipulation tasks
; (its table 8), with what they need and what they change.
;
; A block or a fixture takes one block; the table takes any number. The last two actions are one skill
; of the robot, `place`; a planner tells them apart, because only one of them needs a free spot.
(define (domain tabletop)
  (:requirements :adl)
  (:types
    place - object
    spot table - place
    block fixture - spot)

  (:predicates
    (holding ?x - block)
    (handempty)
    (on ?x - block ?y - place))

  (:action pick
    :parameters (?x - block)
    :precondition (and (handempty) (forall (?y - block) (not (on ?y ?x))))
    :effect (and (holding ?x) (not (handempty)) (forall (?y - place) (not (on ?x ?y)))))

  (:action set_aside
    :parameters (?x - block ?t - table)
    :precondition (holding ?x)
    :effect (and (on ?x ?t) (handempty) (not (holding ?x))))

  (:action place
    :parameters (?x - block ?y - spot)
    :precondition (and (holding ?x) (not (= ?x ?y)) (forall (?z - block) (not (on ?z ?y))))
    :effect (and (on ?x ?y) (handempty) (not (holding ?x)))))
