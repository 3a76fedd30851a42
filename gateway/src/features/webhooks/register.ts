import type { Feature, Kernel } from '../../core/feature.js';
import { failingWebhooks } from './inbox-source.js';
import { webhookRoutes } from './routes.js';
import { sharedWebhookDeps } from './shared-deps.js';
import { DISPATCHER_LIMITS, Dispatcher } from './worker.js';

/** Webhooks: events of merchants are posted to their endpoints. */
export function register(kernel: Kernel): Feature {
  const { store, clock, random, tokenKey, egressRules: rules, node } = kernel;
  const webhooks = sharedWebhookDeps({ store, clock, random, tokenKey, rules });
  return {
    routes: (server) => webhookRoutes(server, { ...kernel, webhooks }),
    inbox: [failingWebhooks(kernel, webhooks)],
    work: (background) => {
      const onFault = background.faultOf('an event was not delivered');
      const dispatcher = new Dispatcher({ ...webhooks, node, onFault });
      background.endLater(dispatcher);
      background.repeat({
        name: 'delivery of events',
        intervalMs: DISPATCHER_LIMITS.intervalMs,
        work: () => dispatcher.round(),
        fault: 'events were not delivered',
      });
    },
  };
}
