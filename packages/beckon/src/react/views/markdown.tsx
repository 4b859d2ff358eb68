import type { MarkdownProps } from '../../components/markdown.ts';
import { MarkdownText } from '../markdown/markdown-text.tsx';

export function MarkdownView({ content }: MarkdownProps) {
  return <MarkdownText text={content} />;
}
