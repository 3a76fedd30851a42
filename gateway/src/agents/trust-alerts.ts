/** What is told about an agent's identity. */
export interface TrustAlert {
  readonly code: /** A key that was revoked or replaced proved itself. */
    | 'agent-key-revoked'
    /** A journal came with a generation that nobody allowed. */
    | 'agent-generation-jump'
    /** An agent proved itself over a TLS key that is not this gateway's. */
    | 'agent-channel-foreign'
    /** An enrolment code was named too often by who did not have it. */
    | 'enrolment-code-guessed';
  /** The agent that it is about. */
  readonly subject: string;
  /** The values, for the person who looks. Nothing sensitive. */
  readonly detail: string;
}

/** Tells staff. Never throws: a refusal does not wait for its alert. */
export type RaiseTrustAlert = (alert: TrustAlert) => void;
