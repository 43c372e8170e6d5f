; A mobile manipulator in an apartment: the predicates and the seven actions of IALP (Wang et al. 2025,
; tables 1 and 2), with what we had to decide in order that plans exist and run:
;
;   move     leaves what it was at; what was seen and judged from there has to be seen and judged again.
;   scan     needs a robot that is at the thing: before that, `find` looks it up in the map. Nothing is seen
;            in a shut drawer.
;   pull     lets go of the handle when the drawer is open; a robot that drives holds no drawer.
;   insert   is place for a shelf, from the front; place is for everything with a free top.
;   adjust   the paper's answer to a manipulation predicate that is false: it moves base, head and lift.
;            Here it is an action, so that a planner may expect what it is for.
;
; find, at, detected, graspable, placeable and reachable are computed from RGB-D, joints and odometry.
; on, in, holding and opened are asked of a vision model.
(define (domain apartment)
  (:requirements :adl)
  (:types
    thing - object
    item place human exit - thing
    surface shelf stand container - place)

  (:predicates
    (on ?o - item ?p - (either surface shelf stand))
    (in ?o - item ?p - container)
    (holding ?o - (either item container))
    (opened ?o - container)
    (at ?o - thing)
    (find ?o - thing)
    (detected ?o - thing)
    (graspable ?o - (either item container))
    (placeable ?p - place)
    (reachable ?o - thing))

  (:action move
    :parameters (?o - thing)
    :precondition (and (find ?o) (not (at ?o)) (forall (?d - container) (not (holding ?d))))
    :effect (and (at ?o)
                 (forall (?x - thing)
                   (when (not (= ?x ?o))
                         (and (not (at ?x)) (not (detected ?x)) (not (reachable ?x)))))))

  (:action scan
    :parameters (?o - thing)
    :precondition (and (at ?o) (not (detected ?o))
                       (forall (?i - item) (forall (?d - container)
                         (imply (and (= ?i ?o) (in ?i ?d)) (opened ?d)))))
    :effect (detected ?o))

  (:action adjust
    :parameters (?o - thing)
    :precondition (and (at ?o) (detected ?o)
                       (or (not (reachable ?o))
                           (exists (?x - (either item container)) (and (= ?x ?o) (not (graspable ?x))))
                           (exists (?p - place) (and (= ?p ?o) (not (placeable ?p))))))
    :effect (and (reachable ?o)
                 (forall (?x - (either item container)) (when (= ?x ?o) (graspable ?x)))
                 (forall (?p - place) (when (= ?p ?o) (placeable ?p)))))

  (:action grasp
    :parameters (?o - (either item container))
    :precondition (and (at ?o) (detected ?o) (reachable ?o) (graspable ?o) (not (holding ?o))
                       (forall (?d - container) (imply (in ?o ?d) (opened ?d))))
    :effect (and (holding ?o)
                 (forall (?i - item) (when (= ?i ?o) (and
                   (forall (?s - (either surface shelf stand)) (not (on ?i ?s)))
                   (forall (?d - container) (not (in ?i ?d))))))))

  (:action place
    :parameters (?o - item ?p - surface)
    :precondition (and (at ?p) (holding ?o) (placeable ?p) (reachable ?p))
    :effect (and (not (holding ?o)) (on ?o ?p)))

  ; The paper's effect of lift is its precondition: it changes nothing that a predicate says.
  (:action lift
    :parameters (?o - item)
    :precondition (holding ?o)
    :effect (holding ?o))

  (:action pull
    :parameters (?o - container)
    :precondition (and (holding ?o) (not (opened ?o)))
    :effect (and (opened ?o) (not (holding ?o))))

  (:action insert
    :parameters (?o - item ?p - shelf)
    :precondition (and (at ?p) (holding ?o) (placeable ?p) (reachable ?p))
    :effect (and (not (holding ?o)) (on ?o ?p))))
