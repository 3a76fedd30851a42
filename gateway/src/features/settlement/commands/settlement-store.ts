import { systemClock as clock } from '@tillbridge/platform/system-clock.js';
import { systemRandom as random } from '@tillbridge/platform/system-random.js';
import { operatorName } from '../../../kernel/audit/operator-name.js';
import { type ConfigOption, withHomeStore } from '../../../kernel/commands/command.js';
import type { Store } from '../../../kernel/store/store.js';

/** What the commands of settlement work with. */
export interface SettlementCommandDeps {
  readonly store: Store;
  readonly clock: typeof clock;
  readonly random: typeof random;
  readonly actor: string;
}

/** Runs work on the database of a home and closes it. @throws StoreUnavailableError */
export function withSettlementStore(
  options: ConfigOption,
  work: (deps: SettlementCommandDeps) => Promise<void>,
): Promise<void> {
  return withHomeStore(options.readConfig(), (store) =>
    work({ store, clock, random, actor: operatorName() }),
  );
}
