import '../shared/theme.css';
import './runner.css';
import type { Snapshot } from '@mcp-apps-bridge/app-runtime';
import { html, render } from 'lit';
import type { TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { connectApp } from '../shared/connect.ts';
import { runConsumer } from './run-consumer.ts';
import type { RunView } from './run-consumer.ts';

/** As many as the result carries, so that the end shows what the stream showed. */
const MAX_LINES = 1_000;
/** How near its end, in pixels, the log must stand to follow new lines. */
const FOLLOW_PX = 24;

const found = document.getElementById('run');
if (found === null) throw new Error('The page has no #run.');
const root: HTMLElement = found;

connectApp({
  name: 'Check runner',
  consumer: runConsumer(MAX_LINES),
  modes: { content: 'append', structuredContent: 'replace' },
  hasContent: ({ log }) => log.blocks.length > 0 || log.open !== '',
  onSnapshot: draw,
});

function draw(snapshot: Snapshot<RunView>): void {
  const before = root.querySelector('.log');
  const follows = before === null || before.scrollHeight - before.scrollTop - before.clientHeight < FOLLOW_PX;
  render(page(snapshot), root);
  const after = root.querySelector('.log');
  if (after !== null && follows) after.scrollTop = after.scrollHeight;
}

function page({ state, status }: Snapshot<RunView>): TemplateResult {
  const { facts, log } = state;
  const running = status === 'waiting' || status === 'streaming';
  return html`
    <header>
      <div class="name">
        <h1>${facts.title}</h1>
        <code>${facts.command}</code>
      </div>
      <div class="badges">
        ${facts.passed > 0 ? html`<span class="badge good">${facts.passed} passed</span>` : ''}
        ${facts.failed > 0 ? html`<span class="badge bad">${facts.failed} failed</span>` : ''}
        <span class="badge ${verdict(status, facts.exitCode).tone}">
          ${running ? html`<i class="spinner" aria-hidden="true"></i>` : ''}${verdict(status, facts.exitCode).text}
        </span>
      </div>
    </header>
    <div class="track ${running ? 'running' : ''}" aria-hidden="true"></div>
    <div class="log" role="log" aria-live="off" aria-label="Output" tabindex="0">
      ${repeat(
        log.blocks,
        ({ first }) => first,
        (block) => guard([block], () => html`<pre>${block.lines.map(line)}</pre>`),
      )}
      <pre>${log.open}</pre>
    </div>
    <footer>${facts.lines} ${facts.lines === 1 ? 'line' : 'lines'}</footer>
  `;
}

function line(text: string): TemplateResult {
  // The line end is for copying; the block makes the line.
  return html`<span class=${lineTone(text)}>${text}${'\n'}</span>`;
}

function lineTone(text: string): string {
  if (text.startsWith('$ ')) return 'command';
  if (/^\s*[✓✔] /.test(text)) return 'pass';
  if (/^\s*[×✗❯] |\berror\b|FAIL/.test(text)) return 'fail';
  return '';
}

function verdict(status: string, exitCode: number | null | undefined): { tone: string; text: string } {
  if (status === 'waiting') return { tone: 'busy', text: 'Starting' };
  if (status === 'streaming') return { tone: 'busy', text: 'Running' };
  if (status === 'cancelled') return { tone: 'warn', text: 'Cancelled' };
  if (status === 'complete' && exitCode === 0) return { tone: 'good', text: 'Passed' };
  return { tone: 'bad', text: typeof exitCode === 'number' ? `Exit code ${exitCode}` : 'Failed' };
}
