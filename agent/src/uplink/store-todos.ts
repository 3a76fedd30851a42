import type { StoreTodos as WireStoreTodos } from '@tillbridge/wire/bridge/messages.js';
import { maskText } from '@tillbridge/wire/mask/mask.js';

/** What a person has to do so that the gateway takes sales of a terminal again. */
export interface StoreTodo {
  readonly terminalId: string;
  /** Since when, milliseconds since 1970, by the gateway's clock. */
  readonly sinceMs: number;
  /** What is wrong, and the command of the gateway that mends it. */
  readonly reason: string;
}

/** What the gateway sent last. It is not kept over a restart: the first heartbeat of a session brings it anew. */
export class StoreTodos {
  #todos: readonly StoreTodo[] = [];

  /** Takes a list in the place of the one before; absent: nothing has changed. */
  take(sent: WireStoreTodos | undefined): void {
    if (!sent) return;
    this.#todos = sent.todos.map(({ terminalId, sinceMs, reason }) => ({
      terminalId,
      sinceMs,
      reason: maskText(reason),
    }));
  }

  /** As the gateway sent them. */
  list(): readonly StoreTodo[] {
    return this.#todos;
  }
}
