import { Gauge, type Registry } from 'prom-client';
import type { Store } from '../store/store.js';
import type { JournalAlarm } from './journal-heads.js';

const ALARMS: readonly JournalAlarm[] = ['behind', 'forked'];
/** Agents that a count reads at most. */
const COUNTED_AGENTS = 1_000;

/** Shows agents whose journal contradicts the stored head, until a new generation of the journal begins. */
export function journalMetrics(registry: Registry, store: Pick<Store, 'find'>): void {
  new Gauge({
    name: 'tillbridge_gateway_journal_alarms',
    help: 'Agents whose journal ends before, or differs from, the stored head',
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
