/** What a network does to whole messages; probabilities are per message. */
export interface NetworkFaultRates {
  readonly fastestMs: number;
  readonly slowestMs: number;
  readonly drop: number;
  readonly duplicate: number;
  /** The message may overtake others. */
  readonly reorder: number;
  /** The message comes when its sender has long given it up. */
  readonly stray: number;
  /** The connection breaks at this message, which may or may not have arrived. */
  readonly cut: number;
}

/** What a serial line does to pieces of bytes; probabilities are per piece. */
export interface LineFaultRates {
  readonly drop: number;
  readonly bend: number;
  readonly repeat: number;
  readonly split: number;
  readonly delay: number;
}

/** What happens between gateway and acquirer; probabilities are per request. */
export interface AcquirerFaultRates {
  readonly fastestMs: number;
  readonly slowestMs: number;
  readonly dropRequest: number;
  readonly dropAnswer: number;
  /** The request comes twice. */
  readonly duplicate: number;
  /** The gateway gives up waiting, and the request arrives all the same, much later. */
  readonly late: number;
}

/** All of it. */
export interface FaultRates {
  readonly network: NetworkFaultRates;
  readonly line: LineFaultRates;
  readonly acquirer: AcquirerFaultRates;
}

/** Nothing goes wrong. */
export const FAIR: FaultRates = {
  network: { fastestMs: 5, slowestMs: 40, drop: 0, duplicate: 0, reorder: 0, stray: 0, cut: 0 },
  line: { drop: 0, bend: 0, repeat: 0, split: 0, delay: 0 },
  acquirer: { fastestMs: 10, slowestMs: 120, dropRequest: 0, dropAnswer: 0, duplicate: 0, late: 0 },
};

/** Something goes wrong now and then. */
export const ROUGH: FaultRates = {
  network: {
    fastestMs: 5,
    slowestMs: 400,
    drop: 0.02,
    duplicate: 0.03,
    reorder: 0.03,
    stray: 0.02,
    cut: 0.015,
  },
  line: { drop: 0.005, bend: 0.005, repeat: 0.005, split: 0.03, delay: 0.02 },
  acquirer: {
    fastestMs: 10,
    slowestMs: 900,
    dropRequest: 0.015,
    dropAnswer: 0.02,
    duplicate: 0.04,
    late: 0.015,
  },
};

/** Hardly anything goes right. */
export const STORM: FaultRates = {
  network: {
    fastestMs: 20,
    slowestMs: 6_000,
    drop: 0.08,
    duplicate: 0.08,
    reorder: 0.08,
    stray: 0.08,
    cut: 0.06,
  },
  line: { drop: 0.02, bend: 0.02, repeat: 0.02, split: 0.1, delay: 0.08 },
  acquirer: {
    fastestMs: 50,
    slowestMs: 12_000,
    dropRequest: 0.12,
    dropAnswer: 0.12,
    duplicate: 0.1,
    late: 0.08,
  },
};
