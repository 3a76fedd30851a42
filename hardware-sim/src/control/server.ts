import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { servePanel } from '@tillbridge/platform/panel/serve-panel.js';
import type { FastifyInstance } from 'fastify';
import type { ReceiptPrinter } from '../printer/receipt-printer.js';
import type { Recordings } from '../recordings/recordings.js';
import { type RestAppDeps, restApp } from '../rest/rest-app.js';
import type { ScenarioStore } from '../scenarios/scenario-store.js';
import type { SimulatedTerminals } from '../simulator/simulator.js';
import { cardRoutes } from './card-routes.js';
import { eventRoutes } from './event-routes.js';
import { type Hosts, hostRoutes } from './host-routes.js';
import { inspectionRoutes } from './inspection-routes.js';
import { receiptRoutes } from './receipt-routes.js';
import { recordingRoutes } from './recording-routes.js';
import { scenarioRoutes } from './scenario-routes.js';
import { terminalRoutes } from './terminal-routes.js';

/** What the REST control acts on. */
interface ControlDeps extends RestAppDeps, Hosts {
  readonly terminals: SimulatedTerminals;
  readonly recordings: Recordings;
  readonly scenarios: ScenarioStore;
  readonly printer: ReceiptPrinter;
  /** ISO 8601. */
  readonly startedAt: string;
}

/** The panel, as it was bundled. */
const PANEL_FOLDER = new URL('dist/panel/', packageFolder(import.meta.url));

/** The simulator's REST control, its events and its panel. */
export function buildControl(deps: ControlDeps): FastifyInstance {
  const { terminals, recordings, scenarios, printer, proxy } = deps;
  const app = restApp(deps);
  cardRoutes(app, terminals);
  terminalRoutes(app, terminals);
  inspectionRoutes(app, terminals);
  recordingRoutes(app, terminals, recordings);
  scenarioRoutes(app, terminals, scenarios, proxy);
  receiptRoutes(app, printer);
  hostRoutes(app, deps, terminals.events);
  eventRoutes(app, terminals.events, deps.startedAt);
  servePanel(app, PANEL_FOLDER);
  return app;
}
