import '../shared/theme.css';
import './dashboard.css';
import { renderMarkdown } from '@a2ui/markdown-it';
import { mountA2ui } from '@mcp-apps-bridge/app-runtime/a2ui';
import type { A2uiAction, A2uiProblem } from '@mcp-apps-bridge/app-runtime/a2ui';
import { connectApp, setNotice } from '../shared/connect.ts';
import { dashboardCatalog } from './catalog/index.ts';

const found = document.getElementById('dashboard');
if (found === null) throw new Error('The page has no #dashboard.');
const main: HTMLElement = found;

const view = mountA2ui(main, {
  catalogs: [dashboardCatalog],
  markdown: renderMarkdown,
  onAction: (action) => void answer(action),
  openLink: (url) => void app.openLink({ url }),
  onProblem: tell,
});
const { app } = connectApp({
  name: 'Revenue dashboard',
  consumer: view.consumer,
  modes: { content: 'jsonl' },
  errors: 'shown-by-view',
  hasContent: ({ flow }) => flow.length > 0,
  onSnapshot(snapshot) {
    const waiting =
      snapshot.status === 'waiting' || (snapshot.status === 'streaming' && snapshot.state.flow.length === 0);
    document.getElementById('outline')?.toggleAttribute('hidden', !waiting);
    view.update(snapshot);
  },
});

/** Problems the host has been told of; the result repeats those of the stream. */
const told = new Set<string>();
const MAX_TOLD = 100;

/** What the app leaves out is told to the host, which counts it with what it refused itself. */
function tell(problem: A2uiProblem): void {
  // Before its data is there an expression may fail, and nothing is left out for it.
  if (problem.code === 'expression_failed') return;
  const key = JSON.stringify(problem);
  if (told.has(key) || told.size === MAX_TOLD) return;
  told.add(key);
  app.sendLog({ level: 'warning', logger: 'a2ui', data: problem }).catch(() => undefined);
}

let latest = 0;

/** A choice goes through the host to the server's `action` tool; what it answers is applied to the surface. */
async function answer(action: A2uiAction): Promise<void> {
  const turn = ++latest;
  main.setAttribute('aria-busy', 'true');
  try {
    const result = await app.callServerTool({ name: 'action', arguments: { ...action } });
    // Only the last choice counts; an earlier answer that comes late would undo it.
    if (turn !== latest) return;
    setNotice('none', '');
    if (result.isError === true) setNotice('bad', textOf(result.content));
    else view.answer(result);
  } catch (error) {
    if (turn === latest)
      setNotice(
        'bad',
        `The server did not answer: ${error instanceof Error ? error.message : String(error)}`,
      );
  } finally {
    if (turn === latest) main.removeAttribute('aria-busy');
  }
}

function textOf(content: readonly { type: string; text?: unknown }[]): string {
  return content.flatMap((block) => (typeof block.text === 'string' ? [block.text] : [])).join(' ');
}
