import { afterEach } from 'vitest';
import {
  type BridgeHarness,
  type BridgeHarnessOptions,
  openBridgeHarness,
  type TestAgent,
} from './test-agent.test.support.js';

/** The bridge of each test of a file. */
interface BridgeOfTest {
  /** @throws Error before it is opened */
  readonly harness: BridgeHarness;
  /** Opens the harness of this test. */
  open(options?: BridgeHarnessOptions): Promise<BridgeHarness>;
  /** Opens it with one agent that was welcomed. */
  joined(options?: BridgeHarnessOptions): Promise<TestAgent>;
}

/** Gives each test of a file a bridge, and ends it after the test. */
export function bridgeOfTest(): BridgeOfTest {
  let harness: BridgeHarness | undefined;
  afterEach(async () => {
    await harness?.dispose();
    harness = undefined;
  });
  const open = async (options?: BridgeHarnessOptions): Promise<BridgeHarness> => {
    harness = await openBridgeHarness(options);
    return harness;
  };
  return {
    get harness() {
      if (!harness) throw new Error('the test has opened no bridge');
      return harness;
    },
    open,
    joined: async (options) => {
      const agent = (await open(options)).connect();
      await agent.join();
      return agent;
    },
  };
}
