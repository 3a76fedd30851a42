import { Gauge, type Registry } from 'prom-client';
import type { Store } from '../store/store.js';
import type { JournalAlarm } from './journal-heads.js';

const ALARMS: readonly JournalAlarm[] = ['behind', 'forked'];
/** Agents that a count looks at: what is more is a disaster whatever its size. */
const COUNTED_AGENTS = 1_000;

/** Shows agents whose journal contradicted what is kept of it; each stays until a new generation of it begins. */
export function journalMetrics(registry: Registry, store: Pick<Store, 'find'>): void {
  new Gauge({
    name: 'tillbridge_gateway_journal_alarms',
    help: 'Agents whose journal ends before, or differs from, the head that is kept of it',
    labelNames: ['alarm'],
    registers: [registry],
    async collect() {
      for (const alarm of ALARMS) {
        const rows = await store.find('journalHeads', 'alarm', [alarm], { limit: COUNTED_AGENTS });
        this.set({ alarm }, rows.length);
      }
    },
  });
}
