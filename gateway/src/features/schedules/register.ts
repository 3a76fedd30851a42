import type { Feature, Kernel } from '../../core/feature.js';
import { scheduleRoutes } from './routes.js';
import type { ScheduleTimes } from './rules/shortest-interval.js';
import { Schedules } from './service.js';
import { scheduleLoop } from './worker.js';

/** Payments that are repeated by a calendar. */
export function register(
  kernel: Kernel,
  { schedules: times }: { readonly schedules: ScheduleTimes },
): Feature {
  const { store, clock, random, events, buildNumber, service, node, onFault } = kernel;
  const scheduling = { store, clock, random, events, buildNumber };
  const loop = scheduleLoop({
    ...{ ...scheduling, service, node },
    onFault: (error) => onFault('a run of a schedule was not made', error),
  });
  const schedules = new Schedules({ ...scheduling, times });
  return {
    routes: (server) => scheduleRoutes(server, { ...kernel, schedules, scheduleLoop: loop }),
    work: (background) => background.run(loop),
  };
}
