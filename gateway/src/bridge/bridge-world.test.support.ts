import { afterEach } from 'vitest';
import {
  type BridgeWorld,
  type BridgeWorldOptions,
  openBridgeWorld,
  type TestAgent,
} from './test-agent.test.support.js';

/** The bridge of each test of a file. */
export interface BridgeOfTest {
  /** @throws Error before it is opened */
  readonly world: BridgeWorld;
  /** Opens the world of this test. */
  open(options?: BridgeWorldOptions): Promise<BridgeWorld>;
  /** Opens it with one agent that was welcomed. */
  joined(options?: BridgeWorldOptions): Promise<TestAgent>;
}

/** Gives each test of a file a bridge, and ends it after the test. */
export function bridgeOfTest(): BridgeOfTest {
  let world: BridgeWorld | undefined;
  afterEach(async () => {
    await world?.dispose();
    world = undefined;
  });
  const open = async (options?: BridgeWorldOptions): Promise<BridgeWorld> => {
    world = await openBridgeWorld(options);
    return world;
  };
  return {
    get world() {
      if (!world) throw new Error('the test has opened no bridge');
      return world;
    },
    open,
    joined: async (options) => {
      const agent = (await open(options)).connect();
      await agent.join();
      return agent;
    },
  };
}
