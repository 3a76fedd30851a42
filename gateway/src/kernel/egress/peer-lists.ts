import { peersOf } from '@tillbridge/platform/net/peers.js';

/** Whether all are addresses or networks. */
export function arePeers(peers: readonly string[]): boolean {
  try {
    peersOf(peers);
    return true;
  } catch {
    return false;
  }
}
