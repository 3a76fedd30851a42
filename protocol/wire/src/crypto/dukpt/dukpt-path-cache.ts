/** An intermediate key on the way from a device's initial key to its transaction keys. */
export interface DukptNode {
  /** Counter bits that lead here; 0 for the initial key. */
  readonly reached: number;
  /** The key one bit further on; the caller wipes it or makes a node of it. */
  childKey(reached: number): Buffer;
  /** The node one bit further on. */
  child(reached: number): DukptNode;
  /** Wipes the key; the node cannot be used any more. */
  dispose(): void;
}

/** Default number of devices whose path is kept; a path has at most 16 keys. */
export const DUKPT_CACHE_DEVICES = 1024;

/**
 * Keeps, per device, the intermediate keys on the path to its last transaction. Counters of a device go up one by one, so the next
 * path shares nearly all of the last one, and a transaction key is one or two steps away instead of ten. The key of the transaction
 * itself is never kept. When the limit is reached the device that was quiet longest is wiped.
 */
export class DukptPathCache {
  readonly #paths = new Map<string, DukptNode[]>();
  readonly #maxDevices: number;

  constructor(maxDevices: number = DUKPT_CACHE_DEVICES) {
    this.#maxDevices = maxDevices;
  }

  /**
   * The transaction key of a device and counter; the caller wipes it.
   * @param device names the initial key, its base key included
   * @param root makes the node of the initial key when the device is not known
   */
  transactionKey(device: string, counter: number, root: () => DukptNode): Buffer {
    const path = this.#pathOf(device, root);
    let node = lastAncestor(path, counter);
    for (;;) {
      const reached = (node.reached | highestBit((counter ^ node.reached) >>> 0)) >>> 0;
      if (reached === counter) return node.childKey(reached);
      node = node.child(reached);
      path.push(node);
    }
  }

  /** How many devices are kept. */
  get size(): number {
    return this.#paths.size;
  }

  /** Wipes everything: at a key rotation, and at the end. */
  clear(): void {
    for (const path of this.#paths.values()) disposeAll(path);
    this.#paths.clear();
  }

  /** The path of a device, which becomes the youngest. */
  #pathOf(device: string, root: () => DukptNode): DukptNode[] {
    const known = this.#paths.get(device);
    const path = known ?? [root()];
    if (known !== undefined) this.#paths.delete(device);
    else if (this.#paths.size >= this.#maxDevices) this.#evictOldest();
    this.#paths.set(device, path);
    return path;
  }

  #evictOldest(): void {
    for (const [device, path] of this.#paths) {
      disposeAll(path);
      this.#paths.delete(device);
      return;
    }
  }
}

/** Cuts the path back to the deepest node that leads to the counter and is not its own key. */
function lastAncestor(path: DukptNode[], counter: number): DukptNode {
  for (;;) {
    const node = path[path.length - 1];
    if (node === undefined) throw new RangeError('a path begins with its initial key');
    if (leadsTo(node.reached, counter)) return node;
    node.dispose();
    path.pop();
  }
}

function leadsTo(reached: number, counter: number): boolean {
  if (reached === 0) return true;
  const below = ((reached & -reached) >>> 0) - 1;
  return reached !== counter && (counter & ~below) >>> 0 === reached;
}

function highestBit(value: number): number {
  return (0x80000000 >>> Math.clz32(value)) >>> 0;
}

function disposeAll(path: readonly DukptNode[]): void {
  for (const node of path) node.dispose();
}
