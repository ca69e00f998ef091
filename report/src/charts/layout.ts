// Where the members of a network stand: those with strong connections near each other, by springs that always find the same places.

export interface Place {
  x: number;
  y: number;
}

interface Spring {
  a: number;
  b: number;
  values: number[];
}

const steps = 260;

/** Places within width x height. Springs pull as hard as the pair is connected in its own condition, everything else pushes apart. */
export function layoutOf(amount: number, springs: Spring[], home: number, width: number, height: number): Place[] {
  const golden = Math.PI * (3 - Math.sqrt(5));
  const places: Place[] = Array.from({ length: amount }, (_, i) => ({ x: Math.sqrt((i + 0.5) / amount) * Math.cos(i * golden), y: Math.sqrt((i + 0.5) / amount) * Math.sin(i * golden) }));
  const ideal = 1.1 / Math.sqrt(Math.max(1, amount));
  for (let step = 0; step < steps; ++step) {
    const limit = 0.12 * (1 - step / steps) + 0.001;
    const moves: Place[] = places.map((place) => ({ x: -0.02 * place.x, y: -0.02 * place.y }));
    for (let i = 0; i < amount; ++i) {
      for (let j = 0; j < i; ++j) {
        const [dx, dy] = [places[i]!.x - places[j]!.x, places[i]!.y - places[j]!.y];
        const distance = Math.max(0.01, Math.hypot(dx, dy));
        const push = (0.5 * ideal * ideal) / (distance * distance);
        shift(moves, i, j, push * dx, push * dy);
      }
    }
    for (const { a, b, values } of springs) {
      const [dx, dy] = [places[a]!.x - places[b]!.x, places[a]!.y - places[b]!.y];
      const distance = Math.hypot(dx, dy);
      const pull = -0.06 * Math.abs(values[home] ?? 0) * Math.max(0, distance - ideal) / Math.max(0.01, distance);
      shift(moves, a, b, pull * dx, pull * dy);
    }
    places.forEach((place, i) => {
      const { x, y } = moves[i]!;
      const length = Math.max(1e-9, Math.hypot(x, y));
      place.x += (x / length) * Math.min(limit, length);
      place.y += (y / length) * Math.min(limit, length);
    });
  }
  return fitted(places, width, height);
}

function shift(moves: Place[], i: number, j: number, x: number, y: number): void {
  moves[i]!.x += x;
  moves[i]!.y += y;
  moves[j]!.x -= x;
  moves[j]!.y -= y;
}

function fitted(places: Place[], width: number, height: number): Place[] {
  const [left, right] = [Math.min(...places.map((one) => one.x)), Math.max(...places.map((one) => one.x))];
  const [top, bottom] = [Math.min(...places.map((one) => one.y)), Math.max(...places.map((one) => one.y))];
  const margin = { x: 34, y: 18 };
  return places.map(({ x, y }) => ({
    x: margin.x + ((x - left) / Math.max(1e-9, right - left)) * (width - 2 * margin.x),
    y: margin.y + ((y - top) / Math.max(1e-9, bottom - top)) * (height - 2 * margin.y),
  }));
}
