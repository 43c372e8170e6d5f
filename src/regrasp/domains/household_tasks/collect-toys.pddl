; Collect the toys in a container on the table (the paper's task on a real robot). Shortest plan: 12
; actions. Either container will do, and one that fell is not taken up again: the other is found.
(define (problem collect-toys)
  (:domain household)
  (:objects
    container_1 container_2 - basket
    toy_1 toy_2 - item
    countertop table - surface
    floor - floor_area
    nursery - room)
  (:init
    (handempty)
    (ontop container_1 countertop)
    (ontop container_2 countertop)
    (ontop toy_1 countertop)
    (ontop toy_2 countertop)
    (inroom container_1 nursery) (inroom container_2 nursery) (inroom toy_1 nursery)
    (inroom toy_2 nursery) (inroom countertop nursery) (inroom table nursery)
    (inroom floor nursery))
  (:goal (exists (?c - basket)
           (and (ontop ?c table) (inside toy_1 ?c) (inside toy_2 ?c)))))
