import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CopyTarget } from '../journal/copy/copy-target.js';
import { FileCopy } from '../journal/copy/file-copy.js';

/** Another writer has opened the copy since. */
export class WriterReplaced extends Error {
  override readonly name = 'WriterReplaced';
}

/** The copies that this agent holds for its replicas: one folder each, opened at first use. */
export class ReplicaStore {
  readonly #folder: string;
  readonly #open = new Map<string, Promise<CopyTarget>>();
  readonly #writers = new Map<string, string>();

  /** `folder` may be made: it is in the agent's own home, or a configured one. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The copy of an agent. @throws CopyUnavailable */
  async of(agentId: string): Promise<CopyTarget> {
    const known = this.#open.get(agentId);
    if (known) return known;
    const opening = FileCopy.open(join(this.#folder, agentId), { create: true });
    this.#open.set(agentId, opening);
    try {
      return await opening;
    } catch (error) {
      this.#open.delete(agentId);
      throw error;
    }
  }

  /** Makes the caller the only one who may write the copy. */
  newWriter(agentId: string): string {
    const writer = randomUUID();
    this.#writers.set(agentId, writer);
    return writer;
  }

  /** @throws WriterReplaced when the caller is not the newest writer */
  checkWriter(agentId: string, writer: unknown): void {
    if (writer === '' || writer !== this.#writers.get(agentId))
      throw new WriterReplaced('another agent has opened this copy since, or this one was started again');
  }

  /** A copy that failed is opened anew at the next request. */
  async forget(agentId: string): Promise<void> {
    const open = this.#open.get(agentId);
    this.#open.delete(agentId);
    await (await open?.catch(() => undefined))?.close().catch(() => undefined);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((agentId) => this.forget(agentId)));
  }
}
