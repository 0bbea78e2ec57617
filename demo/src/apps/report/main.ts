import '../shared/theme.css';
import './report.css';
import { textConsumer } from '@mcp-apps-bridge/app-runtime';
import { connectApp } from '../shared/connect.ts';
import { createMarkdownView } from './markdown-view.ts';

const article = document.getElementById('report');
if (article === null) throw new Error('The page has no #report.');
const view = createMarkdownView(article);

connectApp({
  name: 'Revenue report',
  consumer: textConsumer(),
  modes: { content: 'append' },
  hasContent: ({ text }) => text !== '',
  onSnapshot({ state, status }) {
    view.show(state.text, status === 'waiting' || status === 'streaming');
  },
});
