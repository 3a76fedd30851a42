/** Processes of one agent that are remembered. */
const REMEMBERED = 8;

/**
 * Distinguishes two processes that take turns as one agent from one that was started again. Each process has its own boot id, so one that
 * was followed by another does not come back, unless both run.
 */
export class BootIds {
  /** The last processes of each proven agent, the latest last. */
  readonly #seen = new Map<string, readonly string[]>();

  /** Notes the process of a new session; true when another has followed it already. */
  returns(agentId: string, bootId: string): boolean {
    const seen = this.#seen.get(agentId) ?? [];
    const returns = seen.includes(bootId) && seen.at(-1) !== bootId;
    this.#seen.set(agentId, [...seen.filter((other) => other !== bootId), bootId].slice(-REMEMBERED));
    return returns;
  }
}
