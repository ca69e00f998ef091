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

const steps = 400;
const apart = 0.15; // how much of the push there is between parts without a connection: they need not be far from each other
const margin = { x: 38, y: 20 };

/** Places within width x height (Fruchterman and Reingold). Springs pull as hard as a pair is connected in its own condition; everything pushes apart. */
export function layoutOf(amount: number, springs: Spring[], home: number, width: number, height: number): Place[] {
  const [w, h] = [width - 2 * margin.x, height - 2 * margin.y];
  const golden = Math.PI * (3 - Math.sqrt(5));
  const places: Place[] = Array.from({ length: amount }, (_, i) => {
    const radius = 0.45 * Math.sqrt((i + 0.5) / amount);
    return { x: w * (0.5 + radius * Math.cos(i * golden)), y: h * (0.5 + radius * Math.sin(i * golden)) };
  });
  const ideal = 0.75 * Math.sqrt((w * h) / Math.max(1, amount));
  const part = partsOf(amount, springs);
  const strongest = Math.max(1e-9, ...springs.map(({ values }) => Math.abs(values[home] ?? 0)));
  const degree = places.map((_, i) => springs.filter(({ a, b }) => a === i || b === i).length);
  for (let step = 0; step < steps; ++step) {
    const limit = 0.08 * w * (1 - step / steps) + 0.2;
    const moves: Place[] = places.map((place) => ({ x: 0.06 * (w / 2 - place.x), y: 0.06 * (h / 2 - place.y) }));
    for (let i = 0; i < amount; ++i) {
      for (let j = 0; j < i; ++j) {
        const [dx, dy] = [places[i]!.x - places[j]!.x, places[i]!.y - places[j]!.y];
        const square = Math.max(1, dx * dx + dy * dy);
        const push = (part[i] === part[j] ? 1 : apart) * ideal * ideal / square;
        shift(moves, i, j, push * dx, push * dy);
      }
    }
    for (const { a, b, values } of springs) {
      const [dx, dy] = [places[a]!.x - places[b]!.x, places[a]!.y - places[b]!.y];
      // Hubs have many springs: each pulls less, or all would lie on one spot.
      const pull = (-0.35 * Math.hypot(dx, dy) * (0.3 + 0.7 * Math.abs(values[home] ?? 0) / strongest)) / ideal / Math.sqrt(Math.max(degree[a]!, degree[b]!) / 4 + 1);
      shift(moves, a, b, pull * dx, pull * dy);
    }
    places.forEach((place, i) => {
      const { x, y } = moves[i]!;
      const length = Math.max(1e-9, Math.hypot(x, y));
      place.x += (x / length) * Math.min(limit, length);
      place.y += (y / length) * Math.min(limit, length);
    });
  }
  return fitted(spreadOut(places), width, height);
}

/** Which connected part each of them belongs to. */
function partsOf(amount: number, springs: Spring[]): number[] {
  const part = Array.from({ length: amount }, (_, i) => i);
  for (const { a, b } of springs) {
    const [from, to] = [part[a]!, part[b]!];
    if (from !== to) part.forEach((one, i) => { if (one === from) part[i] = to; });
  }
  return part;
}

/** Far ones come nearer: what is in the middle needs the room. */
function spreadOut(places: Place[]): Place[] {
  const middle = { x: places.reduce((sum, one) => sum + one.x, 0) / places.length, y: places.reduce((sum, one) => sum + one.y, 0) / places.length };
  const radius = ({ x, y }: Place) => Math.hypot(x - middle.x, y - middle.y);
  const farthest = Math.max(1e-9, ...places.map(radius));
  return places.map((place) => {
    const scale = Math.max(1e-9, radius(place) / farthest) ** -0.4;
    return { x: middle.x + (place.x - middle.x) * scale, y: middle.y + (place.y - middle.y) * scale };
  });
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
  return places.map(({ x, y }) => ({
    x: margin.x + ((x - left) / Math.max(1e-9, right - left)) * (width - 2 * margin.x),
    y: margin.y + ((y - top) / Math.max(1e-9, bottom - top)) * (height - 2 * margin.y),
  }));
}
