; Collect the toys in a container on the table (the paper's task on a real robot). Shortest plan: 12
; actions. Either container will do, and one that fell is not taken up again: the other is found.
(define (problem collect-toys)
  (:domain household)
  (:objects
    blue_container cyan_container - basket
    toy_duck toy_car - item
    countertop table - surface
    floor - floor_area
    nursery - room)
  (:init
    (handempty)
    (ontop blue_container countertop)
    (ontop cyan_container countertop)
    (ontop toy_duck countertop)
    (ontop toy_car countertop)
    (inroom blue_container nursery) (inroom cyan_container nursery) (inroom toy_duck nursery)
    (inroom toy_car nursery) (inroom countertop nursery) (inroom table nursery)
    (inroom floor nursery))
  (:goal (exists (?c - basket)
           (and (ontop ?c table) (inside toy_duck ?c) (inside toy_car ?c)))))
