import { Counter, Gauge, type Registry } from 'prom-client';
import { CommitConflict, type Store } from '../store/store.js';
import { withCommit } from '../store/with-commit.js';
import type { NodeLease } from './node-lease.js';

/** The store, which counts the commits that were refused because another node has taken over from this one. */
export function fenceMetrics(registry: Registry, store: Store): Store {
  const fenced = new Counter({
    name: 'tillbridge_gateway_fenced_commits_total',
    help: 'Commits that were refused because another node had taken over from this one',
    registers: [registry],
  });
  return withCommit(store, async (changes) => {
    try {
      await store.commit(changes);
    } catch (error) {
      if (error instanceof CommitConflict && isFence(error)) fenced.inc();
      throw error;
    }
  });
}

function isFence({ conflict: { table, kind } }: CommitConflict): boolean {
  return table === 'nodes' && kind === 'field';
}

/** Shows the lease of this node. */
export function leaseMetrics(registry: Registry, node: Pick<NodeLease, 'id' | 'leftMs' | 'timesLost'>): void {
  const registers = [registry];
  new Gauge({
    name: 'tillbridge_gateway_node_lease_seconds',
    help: 'How long the lease of this node still holds by its own clock; its id',
    labelNames: ['node'],
    registers,
    collect() {
      this.reset();
      this.set({ node: node.id }, node.leftMs / 1_000);
    },
  });
  new Counter({
    name: 'tillbridge_gateway_node_leases_lost_total',
    help: 'How often another node has taken over from this one',
    registers,
    collect() {
      this.reset();
      this.inc(node.timesLost);
    },
  });
}
