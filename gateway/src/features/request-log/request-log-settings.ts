/** Which requests are kept for developers, and for how long (the configuration sets it). */
export interface RequestLogSettings {
  /** Of the requests that end well, in percent; those that end otherwise are all kept. 0: none is kept at all. */
  readonly sharePercent: number;
  readonly keepDays: number;
  /** Requests that are kept at most. */
  readonly maxRows: number;
  /** What is kept of the parameters of one request at most, in UTF-8 after masking. */
  readonly bodyBytes: number;
}

/** The settings unless configured. */
export const DEFAULT_REQUEST_LOG: RequestLogSettings = {
  sharePercent: 100,
  keepDays: 7,
  maxRows: 100_000,
  bodyBytes: 4_096,
};
