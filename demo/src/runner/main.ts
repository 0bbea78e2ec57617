import { endWithLauncher, exitOnFailure, reportListening } from '../http/child.ts';
import { serverEnv } from '../http/server-env.ts';
import { serveRunner } from './serve.ts';

exitOnFailure(
  serveRunner(serverEnv('DEMO_RUNNER_PORT')).then(({ url, close }) => {
    endWithLauncher(close);
    reportListening({ url });
  }),
);
