import type { MessageExtension } from './messages/extension.js';
import type { Message } from './messages/tables.js';

/** Id of the message extension by which a test requests a course from the simulated servers, whatever the card. */
const EXTENSION_ID = 'tillbridge-test';

/** The course that a test requests. */
export type TestFlow = 'frictionless' | 'challenge';

/** The extension that requests a course. */
export function testFlowExtension(flow: TestFlow): MessageExtension {
  return { id: EXTENSION_ID, name: 'course of the test', criticalityIndicator: false, data: { flow } };
}

/** The course in a request; undefined when it has none. */
export function testFlowOf({ messageExtension = [] }: Message<'AReq'>): TestFlow | undefined {
  const flow = messageExtension.find(({ id }) => id === EXTENSION_ID)?.data.flow;
  return flow === 'frictionless' || flow === 'challenge' ? flow : undefined;
}
