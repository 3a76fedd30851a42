import { packageFolder } from '@tillbridge/platform/package-folder.js';
import { servePanel } from '@tillbridge/platform/panel/serve-panel.js';
import type { Feature, Kernel } from '../../core/feature.js';
import { auditRoutes } from './routes/audit-routes.js';
import { sessionRoutes } from './routes/session-routes.js';
import { userRoutes } from './routes/user-routes.js';
import { knowSessions } from './sessions/know-sessions.js';
import { recordChanges } from './sessions/record-changes.js';
import { Sessions } from './sessions/sessions.js';
import { SignIn } from './sessions/sign-in.js';
import { PasswordHashes } from './users/password-hashes.js';
import { Users } from './users/users.js';

/** The page of the console, as it was bundled. */
const CONSOLE_FOLDER = new URL('dist/console/', packageFolder(import.meta.url));

/** The console: its users, their sessions, and its page. */
export function register(kernel: Kernel): Feature {
  const sessions = new Sessions(kernel);
  const signIn = new SignIn({ ...kernel, sessions, hashes: new PasswordHashes() });
  const deps = { ...kernel, sessions, signIn, users: new Users(kernel), origin: () => kernel.shopper.origin };
  return {
    credentials: (server, admitStranger) => {
      knowSessions(server, deps, admitStranger);
      recordChanges(server, deps);
    },
    routes: (server) => {
      sessionRoutes(server, deps);
      userRoutes(server, deps);
      auditRoutes(server, deps);
      servePanel(server, CONSOLE_FOLDER, { pages: ['/console'], files: '/console/panel/' });
    },
    retention: {
      userSessions: { index: 'expiry', keepMs: 0 },
      userInvitations: { index: 'expiry', keepMs: 0 },
    },
  };
}
