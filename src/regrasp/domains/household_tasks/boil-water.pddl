; Boil water in the microwave. Shortest plan: 12 actions.
(define (problem boil-water)
  (:domain household)
  (:objects
    mug - vessel
    cabinet - receptacle
    sink - basin
    microwave - microwave_oven
    floor - floor_area
    water - liquid
    kitchen - room)
  (:init
    (handempty)
    (closed cabinet)
    (closed microwave)
    (inside mug cabinet)
    (insource sink water)
    (inroom mug kitchen) (inroom cabinet kitchen) (inroom sink kitchen)
    (inroom microwave kitchen) (inroom floor kitchen))
  (:goal (cooked water)))
