/** Versions of EMV 3-D Secure that are spoken here. */
export const MESSAGE_VERSIONS = ['2.1.0', '2.2.0'] as const;
export type MessageVersion = (typeof MESSAGE_VERSIONS)[number];

/** Form of a value (EMV 3DS Protocol and Core Functions Specification, table A.1). */
export interface Format<T> {
  /** Completes "must be …". */
  readonly expected: string;
  readonly fits: (value: unknown, facts: Facts) => value is T;
  /** Code of the error message where it does not fit; `203` (format) when left out. */
  readonly errorCode?: '304';
}

/** What decides whether a field is required: values of the same message, and for an answer those of its request. */
export interface Facts {
  readonly version: MessageVersion;
  /** `01` app, `02` browser, `03` 3DS Requestor Initiated. */
  readonly channel?: string | undefined;
  /** `01` payment, `02` non-payment. */
  readonly category?: string | undefined;
  readonly status?: string | undefined;
}

/** Circumstances in which a field is required; every one that is named must hold. */
export interface Need {
  readonly channels?: readonly string[];
  readonly categories?: readonly string[];
  readonly statuses?: readonly string[];
  /** From this version on. */
  readonly from?: MessageVersion;
}

/** A field of a message. */
export interface Field<N extends string = string, T = unknown> {
  readonly name: N;
  readonly format: Format<T>;
  /** Absent: never required. */
  readonly need?: Need;
}

/** The values of a message with these fields. What is required is checked by the codec, not by the type. */
export type ValuesOf<F extends readonly Field[]> = {
  readonly [R in F[number] as R['name']]?: R extends Field<string, infer T> ? T : never;
};

/** A field that is required where all of `need` holds; always without one. */
export function required<N extends string, T>(name: N, format: Format<T>, need: Need = {}): Field<N, T> {
  return { name, format, need };
}

/** A field that may be sent: optional in the standard, or conditional on what a receiver cannot see. */
export function optional<N extends string, T>(name: N, format: Format<T>): Field<N, T> {
  return { name, format };
}

/** Must a message with these facts have the field? */
export function isNeeded({ need }: Field, facts: Facts): boolean {
  if (!need) return false;
  const among = (list: readonly string[] | undefined, value: string | undefined): boolean =>
    list === undefined || (value !== undefined && list.includes(value));
  return (
    among(need.channels, facts.channel) &&
    among(need.categories, facts.category) &&
    among(need.statuses, facts.status) &&
    (need.from === undefined || facts.version >= need.from)
  );
}
