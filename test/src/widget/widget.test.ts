import { afterAll, beforeAll, describe } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { challengeJourneys } from './challenge-journeys.js';
import { demoJourneys } from './demo-journeys.js';
import { integrationJourneys } from './integration-journeys.js';
import { layoutJourneys } from './layout-journeys.js';
import { linkJourneys } from './link-journeys.js';
import { optionJourneys } from './option-journeys.js';
import { paymentJourneys } from './payment-journeys.js';
import { shopPageJourneys } from './shop-page-journeys.js';
import { speedJourneys } from './speed-journeys.js';
import { textJourneys } from './text-journeys.js';
import { walletJourneys } from './wallet-journeys.js';
import { WidgetStack } from './widget-stack.js';

const browser = await browserOrReason();
if (typeof browser === 'string')
  console.log(`skipped: the payment form in a real browser, because ${browser}`);

let widget: WidgetStack;
beforeAll(async () => {
  if (typeof browser !== 'string') widget = await WidgetStack.start(browser);
});
afterAll(() => widget?.end());

describe.runIf(typeof browser !== 'string')('the payment form in a real browser', () => {
  paymentJourneys(() => widget);
  challengeJourneys(() => widget);
  layoutJourneys(() => widget);
  linkJourneys(() => widget);
  shopPageJourneys(() => widget);
  integrationJourneys(() => widget);
  walletJourneys(() => widget);
  optionJourneys(() => widget);
  speedJourneys(() => widget);
  textJourneys(() => widget);
  demoJourneys(() => widget);
});
