# Stands between a port of the switch and the switch, and keeps each frame for a while. The kernels of machines that have no netem
# cannot do it. Usage: slow-link.py PORT MILLISECONDS; it is ended by a signal, and the port is then plugged in by whoever started it.
import collections, fcntl, os, random, select, struct, subprocess, sys, time

port, delay = sys.argv[1], float(sys.argv[2]) / 1000


def tap(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    # TUNSETIFF with IFF_TAP and IFF_NO_PI: whole frames, checksums filled in.
    fcntl.ioctl(device, 0x400454CA, struct.pack("16sH", name.encode(), 0x0002 | 0x1000))
    subprocess.check_call(["ip", "link", "set", name, "up"])
    return device


def link(*words):
    subprocess.check_call(["ip", "link", *words])


number = os.getpid()
inner, outer, bridge = f"i{number}", f"o{number}", f"b{number}"
link("add", bridge, "type", "bridge")
link("set", bridge, "up")
devices = [tap(inner), tap(outer)]
link("set", inner, "master", bridge)
link("set", outer, "master", "br0")
link("set", port, "master", bridge)

held = [collections.deque(), collections.deque()]
while True:
    now = time.monotonic()
    due = [queue[0][0] for queue in held if queue]
    wait = max(0.0, min(due) - now) if due else None
    for device in select.select(devices, [], [], wait)[0]:
        side = devices.index(device)
        try:
            while True:
                frame = os.read(device, 65536)
                # In order, as on one line: a frame never overtakes the one before it.
                last = held[side][-1][0] if held[side] else 0.0
                held[side].append((max(last, time.monotonic() + delay * random.uniform(0.5, 1.5)), frame))
        except BlockingIOError:
            pass
    now = time.monotonic()
    for side, queue in enumerate(held):
        while queue and queue[0][0] <= now:
            try:
                os.write(devices[1 - side], queue.popleft()[1])
            except OSError:
                pass
