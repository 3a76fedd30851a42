import { afterEach, beforeEach, expect, it } from 'vitest';
import { TryLaterError } from './desk.js';
import { DESK_LIMITS } from './desk-context.js';
import {
  type DeskWorld,
  ENTITY,
  OTHER_ENTITY,
  openDeskWorld,
  restPayment,
} from './desk-world.test.support.js';

let world: DeskWorld;
beforeEach(async () => {
  world = await openDeskWorld();
});
afterEach(() => world.dispose());

/** A payment that nobody knows the outcome of: the line was cut before the acquirer heard of it. */
async function openPayment(): Promise<string> {
  world.line.cut = true;
  const error = await world.desk.authorize(restPayment()).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TryLaterError);
  return (error as TryLaterError).paymentId ?? '';
}

it('asks the acquirer of a payment that has no outcome, and tells what it says', async () => {
  const id = await openPayment();
  expect((await world.desk.lookUp(id, ENTITY))?.state).toBe('pending');
  world.line.cut = false;
  expect((await world.desk.lookUp(id, OTHER_ENTITY))?.state).toBeUndefined();
  expect((await world.desk.find(id, ENTITY))?.state).toBe('pending');
  expect(await world.desk.lookUp(id, ENTITY)).toMatchObject({ state: 'declined', resultCode: '900.100.301' });
});

it('waits for nobody longer than it must', async () => {
  const id = await openPayment();
  world.line.status = () => new Promise(() => undefined);
  const asked = world.desk.lookUp(id, ENTITY);
  await world.clock.advance(DESK_LIMITS.lookUpWaitMs);
  expect((await asked)?.state).toBe('pending');
  world.restart();
});

it('leaves a payment that is being made to the request that makes it', async () => {
  let open = (): void => undefined;
  world.line.gate = new Promise((resolve) => {
    open = resolve;
  });
  const paying = world.desk.authorize(restPayment());
  await expect.poll(() => world.line.sent.length).toBe(1);
  const [intent] = await world.store.find('intents', 'state', ['open']);
  expect((await world.desk.lookUp(intent?.paymentId ?? '', ENTITY))?.state).toBe('pending');
  open();
  expect((await paying).disposition).toBe('approved');
  expect((await world.desk.lookUp(intent?.paymentId ?? '', ENTITY))?.state).toBe('authorized');
  expect(world.line.sent).toHaveLength(1);
});
