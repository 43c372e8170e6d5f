; A robot with hands at places with vessels: the pattern of the domains that CoPAL's lessons draw.
; Words after a dollar sign are replaced: names of commands, how something is held, and conditions of their own.
(define (domain lesson)
  (:requirements :adl)
  (:types
    thing hand substance - object
    portable place - thing
    surface container machine - place
    oven - container
    vessel block - portable
    bottle bowl glass dough - vessel)
  $constants
  (:predicates
    $held_predicates
    (on ?x - portable ?y - (either surface machine block))
    (inside ?x - portable ?c - container)
    (open ?c - container)
    (capped ?b - bottle)
    (contains ?v - vessel ?s - substance)
    (empty ?v - vessel)
    (full ?v - vessel)
    (switched_on ?m - (either machine oven))
    (baked ?d - dough)
    (prepared ?x - thing))

  (:action $get
    :parameters (?x - portable ?y - (either place block) $hand_parameter)
    :precondition (and $this_hand_free (or (on ?x ?y) (inside ?x ?y)) $get_prepared
                       (forall (?c - container) (imply (= ?c ?y) (open ?c)))
                       (forall (?z - block) (not (on ?z ?x))))
    :effect (and $take (not (on ?x ?y)) (not (inside ?x ?y))))

  (:action $put
    :parameters (?x - portable ?y - (either place block))
    :precondition (and $held_x (not (= ?x ?y)) $y_not_held $put_prepared
                       (forall (?c - container) (imply (= ?c ?y) (open ?c)))
                       (forall (?b - block)
                         (imply (= ?b ?y) (forall (?z - block) (not (on ?z ?b))))))
    :effect (and (forall (?c - container) (when (= ?c ?y) (inside ?x ?c)))
                 (forall (?s - (either surface machine block)) (when (= ?s ?y) (on ?x ?s)))
                 $let_go))

  (:action $pour
    :parameters (?x - vessel ?y - (either glass dough))
    :precondition (and $held_x (not (= ?x ?y)) $pour_prepared
                       (not (capped ?x)) (not (empty ?x)) (not (full ?y))
                       (forall (?c - container) (not (inside ?y ?c))))
    :effect (and (not (empty ?y))
                 (forall (?s - substance) (when (contains ?x ?s) (contains ?y ?s)))))

  (:action $open_door
    :parameters (?c - container)
    :precondition (and (not (open ?c)) $some_hand_free)
    :effect (open ?c))

  (:action $close_door
    :parameters (?c - container)
    :precondition (and (open ?c) $some_hand_free)
    :effect (not (open ?c)))

  (:action $screw
    :parameters (?b - bottle)
    :precondition (and (not (capped ?b)) $cap_needs $some_hand_free)
    :effect (capped ?b))

  (:action $unscrew
    :parameters (?b - bottle)
    :precondition (and (capped ?b) $cap_needs $some_hand_free)
    :effect (not (capped ?b)))

  (:action $push
    :parameters (?m - (either machine oven))
    :precondition $some_hand_free
    :effect (and (when (not (switched_on ?m)) (switched_on ?m))
                 (when (switched_on ?m) (not (switched_on ?m)))))

  (:action $wait
    :parameters ()
    :precondition ()
    :effect (forall (?d - dough ?o - oven)
              (when (and (inside ?d ?o) (switched_on ?o) (not (open ?o))) (baked ?d))))

  (:action $prepare
    :parameters (?x - $prepare_type)
    :precondition ()
    :effect (prepared ?x)))
