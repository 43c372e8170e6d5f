; A robot that keeps house: the actions, preconditions and effects of DKPROMPT (section "Actions" and
; its public tables), in our words. Fourteen schemas are the paper's twelve actions: grasping is split
; by what a thing is taken from, so that each precondition is one question.
;
;   inview   the robot stands before the thing. Finding one thing leaves every other, so at most one
;            thing is in view. What is in a closed receptacle cannot be found: opening makes its
;            contents findable, closing hides them.
;   inroom   kept up to date by every placing, because a thing that slips out of the hand lies on the
;            floor of the room the robot is in.
;   filled   with what the tap gives: there is one liquid in a household.
;
; A door need not be shut for the oven to bake, but it must be for the microwave.
(define (domain household)
  (:requirements :adl)
  (:types
    thing room liquid - object
    movable place - thing
    item basket - movable
    vessel blade edible - item
    receptacle surface floor_area basin - place
    appliance - receptacle
    microwave_oven baking_oven - appliance)

  (:predicates
    (inview ?x - thing)
    (inhand ?x - movable)
    (handempty)
    (closed ?r - receptacle)
    (inside ?x - item ?c - (either receptacle basket))
    (ontop ?x - movable ?s - surface)
    (onfloor ?x - movable ?f - floor_area)
    (insource ?b - basin ?l - liquid)
    (filled ?x - (either vessel basin))
    (turnedon ?a - appliance)
    (cooked ?x - (either edible liquid))
    (hot ?x - edible)
    (frozen ?x - edible)
    (halved ?x - edible)
    (inroom ?x - thing ?q - room))

  (:action find
    :parameters (?x - thing)
    :precondition (forall (?r - receptacle) (imply (inside ?x ?r) (not (closed ?r))))
    :effect (and (inview ?x)
                 (forall (?y - thing) (when (not (= ?y ?x)) (not (inview ?y))))))

  ; A basket is carried empty: what lies in it would fall out.
  (:action grasp_from_on
    :parameters (?x - movable ?s - surface)
    :precondition (and (inview ?x) (ontop ?x ?s) (handempty)
                       (forall (?y - item) (not (inside ?y ?x))))
    :effect (and (inhand ?x) (not (handempty)) (not (ontop ?x ?s))))

  (:action grasp_from_in
    :parameters (?x - item ?c - (either receptacle basket))
    :precondition (and (not (closed ?c)) (inview ?x) (inside ?x ?c) (handempty))
    :effect (and (inhand ?x) (not (handempty)) (not (inside ?x ?c))))

  ; A basket that fell lies there upside down, and the hand does not get under it.
  (:action grasp_from_floor
    :parameters (?x - item ?f - floor_area)
    :precondition (and (inview ?x) (onfloor ?x ?f) (handempty))
    :effect (and (inhand ?x) (not (handempty)) (not (onfloor ?x ?f))))

  (:action placein
    :parameters (?x - item ?c - (either receptacle basket))
    :precondition (and (inhand ?x) (inview ?c) (not (closed ?c)))
    :effect (and (inside ?x ?c) (handempty) (not (inhand ?x))
                 (forall (?q - room) (and (when (inroom ?c ?q) (inroom ?x ?q))
                                          (when (not (inroom ?c ?q)) (not (inroom ?x ?q)))))))

  (:action placeon
    :parameters (?x - movable ?s - surface)
    :precondition (and (inhand ?x) (inview ?s))
    :effect (and (ontop ?x ?s) (handempty) (not (inhand ?x))
                 (forall (?q - room) (and (when (inroom ?s ?q) (inroom ?x ?q))
                                          (when (not (inroom ?s ?q)) (not (inroom ?x ?q)))))))

  (:action placefloor
    :parameters (?x - movable ?f - floor_area)
    :precondition (and (inhand ?x) (inview ?f))
    :effect (and (onfloor ?x ?f) (handempty) (not (inhand ?x))
                 (forall (?q - room) (and (when (inroom ?f ?q) (inroom ?x ?q))
                                          (when (not (inroom ?f ?q)) (not (inroom ?x ?q)))))))

  (:action fillsink
    :parameters (?b - basin ?l - liquid)
    :precondition (and (inview ?b) (insource ?b ?l))
    :effect (filled ?b))

  (:action fill
    :parameters (?v - vessel ?b - basin)
    :precondition (and (inhand ?v) (inview ?b) (filled ?b) (not (filled ?v)))
    :effect (filled ?v))

  (:action open
    :parameters (?r - receptacle)
    :precondition (and (inview ?r) (closed ?r))
    :effect (not (closed ?r)))

  (:action close
    :parameters (?r - receptacle)
    :precondition (and (inview ?r) (not (closed ?r)))
    :effect (closed ?r))

  (:action turnon_microwave
    :parameters (?m - microwave_oven ?v - vessel ?l - liquid)
    :precondition (and (inview ?m) (closed ?m) (inside ?v ?m) (filled ?v))
    :effect (and (turnedon ?m) (cooked ?l)))

  (:action turnon_oven
    :parameters (?o - baking_oven ?x - edible)
    :precondition (and (inview ?o) (inside ?x ?o))
    :effect (and (turnedon ?o) (hot ?x) (not (frozen ?x))))

  (:action cut
    :parameters (?x - edible ?k - blade)
    :precondition (and (inview ?x) (inhand ?k))
    :effect (halved ?x)))
