; Cook a frozen pie. Shortest plan: 8 actions.
(define (problem frozen-pie)
  (:domain household)
  (:objects
    pie - edible
    oven - baking_oven
    refrigerator - receptacle
    floor - floor_area
    kitchen - room)
  (:init
    (handempty)
    (closed oven)
    (closed refrigerator)
    (inside pie refrigerator)
    (frozen pie)
    (inroom pie kitchen) (inroom oven kitchen) (inroom refrigerator kitchen)
    (inroom floor kitchen))
  (:goal (hot pie)))
