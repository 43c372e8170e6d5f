"""One small scene with every primitive, in every pose that matters to a renderer."""

from __future__ import annotations

import mujoco
import pytest

SCENE = """
<mujoco>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1=".4 .6 .8" rgb2="1 1 1" width="32"
      height="192"/>
    <texture name="tiles" type="2d" builtin="checker" rgb1=".8 .8 .8" rgb2=".7 .7 .7" width="64"
      height="64"/>
    <material name="tiles" texture="tiles" texrepeat="4 4" texuniform="true"/>
    <material name="paint" rgba=".1 .6 .2 1"/>
    <mesh name="wedge" vertex="0 0 0  .2 0 0  0 .2 0  0 0 .2"/>
  </asset>
  <visual><headlight ambient=".4 .4 .4" diffuse=".2 .2 .2" specular="0 0 0"/></visual>
  <worldbody>
    <light type="directional" dir=".8 -.6 -1" diffuse=".5 .5 .5" specular="0 0 0"
      castshadow="true"/>
    <camera name="front" pos="-.9 -.9 .9" xyaxes="1 -1 0 .6 .6 1.2" fovy="34"/>
    <camera name="straight" pos="-1 0 .3" xyaxes="0 -1 0 0 0 1" fovy="40"/>
    <camera name="inside" pos="0 0 .1" xyaxes="0 -1 0 0 0 1" fovy="60"/>
    <geom name="floor" type="plane" size="0 0 .1" material="tiles"/>
    <geom name="box" type="box" size=".1 .08 .1" pos="0 0 .1" euler="0 0 20" rgba=".8 .1 .1 1"/>
    <geom name="ball" type="sphere" size=".07" pos=".1 .3 .07" rgba=".1 .2 .8 1"/>
    <geom name="can" type="cylinder" size=".05 .1" pos="-.1 -.3 .1" euler="9 0 0" material="paint"/>
    <geom name="rod" type="capsule" size=".03 .15" pos=".3 0 .2" euler="60 20 0" rgba=".9 .8 .1 1"/>
    <geom name="egg" type="ellipsoid" size=".05 .08 .12" pos="-.25 .1 .12" rgba=".5 .2 .7 1"/>
    <geom name="wedge" type="mesh" mesh="wedge" pos=".1 -.35 .02" rgba=".1 .7 .8 1"/>
    <geom name="hull" type="box" size=".3 .3 .3" pos="0 0 .3" group="3"/>
    <geom name="ghost" type="box" size=".3 .3 .3" pos="0 0 .3" rgba="1 0 0 .02"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def model() -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(SCENE)


@pytest.fixture
def data(model: mujoco.MjModel) -> mujoco.MjData:
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return data
