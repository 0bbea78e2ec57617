import { attachToApp, createAppRuntime, streamCapabilities } from '@mcp-apps-bridge/app-runtime';
import type { AppRuntime } from '@mcp-apps-bridge/app-runtime';
import { App } from '@modelcontextprotocol/ext-apps';
import { DEFAULT_CONFIG, type AppConfig } from '../shared/config.ts';
import { answerQuestions } from './answer.ts';
import { createDoor } from './door.ts';
import { createShow } from './show.ts';

/* The bundled transport logs every message, which a flood would drown in. */
console.debug = () => undefined;

const written = document.getElementById('config')?.textContent ?? '{}';
const config: AppConfig = { ...DEFAULT_CONFIG, ...(JSON.parse(written) as Partial<AppConfig>) };

const element = document.getElementById('view');
if (element === null) throw new Error('The page has no #view.');
const show = createShow(element, config);
const door = createDoor(config);

const app = new App({ name: 'contract', version: '1.0.0' }, streamCapabilities, { autoResize: false });
const runtime: AppRuntime<unknown> = attachToApp(app, (sendAck) =>
  createAppRuntime({
    consumer: show.consumer,
    limits: { maxWaitMs: config.maxWaitMs },
    sendAck,
    onChange: (snapshot) => show.update(snapshot),
    onEvent(event) {
      if (event.type === 'late') door.log.late.push(door.keyOf(event.seq));
    },
  }),
);
answerQuestions({ runtime, show, door, config });
void app.connect(door.transport);
