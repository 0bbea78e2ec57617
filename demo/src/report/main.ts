import { endWithLauncher, exitOnFailure, reportListening } from '../http/child.ts';
import { serverEnv } from '../http/server-env.ts';
import { serveReport } from './serve.ts';

exitOnFailure(
  serveReport(serverEnv('DEMO_REPORT_PORT')).then(({ url, close }) => {
    endWithLauncher(close);
    reportListening({ url });
  }),
);
