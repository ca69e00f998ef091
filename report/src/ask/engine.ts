// The program that serves this page (disc explore), and what it can be asked. A page that is a file asks nobody.

export interface About {
  conditions: string[];
  samples: number[];
  features: number;
  /** The label that units come from; empty: none was given. */
  unit: string;
  /** Empty where every sample counts as independent. */
  units: { name: string; samples: number }[];
  warnings: string[];
}

export interface SetTest {
  set: number;
  condition: string;
  /** The other condition that is most like it. */
  like: string;
  features: string[];
  /** Mean over all pairs of members, per condition. */
  correlations: number[];
  statistic: number;
  p: number;
  q: number;
}

export interface Tested {
  tests: SetTest[];
  /** Places of the sets with too few members among the features. */
  not_tested: number[];
  permutations: number;
  min_p: number;
  missing: { feature: string; reason: string }[][];
}

export interface NamedFeatures {
  name: string;
  features: string[];
  /** 1 or -1: members that go against the others; empty: all go together. */
  sign?: number[];
}

export interface WithoutOne extends Partial<SetTest> {
  without: string;
  samples: number;
  problem?: string;
}

/** Features are parts 0 .. n - 1; node k is part n + k. */
export interface Tree {
  features: string[];
  nodes: { left: number; right: number; height: number; size: number; correlations: number[] }[];
}

async function asked<Reply>(name: string, question: unknown): Promise<Reply> {
  let response: Response;
  try {
    response = await fetch(`ask/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(question) });
  } catch {
    throw new Error("disc explore does not answer: it was ended, or waits for the machine");
  }
  const text = await response.text();
  if (!response.ok) {
    let sentence = text.trim();
    try {
      sentence = (JSON.parse(text) as { error: string }).error;
    } catch {
      // not every refusal is JSON
    }
    throw new Error(sentence);
  }
  return JSON.parse(text) as Reply;
}

export const engine = {
  about: () => asked<About>("about", {}),
  test: (sets: NamedFeatures[], without: string[]) => asked<Tested>("test", { sets, without }),
  withoutEach: (set: NamedFeatures) => asked<{ rows: WithoutOne[] }>("without-each", set),
  tree: (set: NamedFeatures, condition: string) => asked<Tree>("tree", { ...set, condition }),
  async progress(): Promise<{ stage: string; fraction: number }> {
    return (await fetch("now/progress")).json() as Promise<{ stage: string; fraction: number }>;
  },
};
