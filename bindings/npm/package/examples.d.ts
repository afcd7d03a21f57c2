// The types of `blockstep/examples`.

/** A scenario that is built in. */
export interface Example {
  readonly id: string;
  readonly title: string;
  /** Where it is from: paper and section. */
  readonly source: string;
  /** The scenario file. */
  readonly text: string;
}

/** The scenarios that are built in. */
export const examples: readonly Example[];

/** The scenario that is built in under this id, as a text. Throws a `RangeError` if there is none. */
export function example(id: string): string;
