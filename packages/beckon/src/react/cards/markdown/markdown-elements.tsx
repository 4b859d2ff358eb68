import { Fragment, type ReactNode, use } from 'react';
import { toVisible } from '../../../presentation/index.ts';
import type { MarkdownElement, MarkdownNode } from '../../markdown/tree.ts';
import { VisibleText } from '../agent-text/visible-text.tsx';
import { Icon } from '../ui/icon.tsx';
import { BlockContext } from './block-context.ts';
import { saysPlace, toImageHost, toPlacedLink } from './link-place.ts';
import { texts } from './texts.ts';

/**
 * Draws a tree of Markdown. Every element and attribute is made here, so nothing from an agent becomes one unchecked.
 */
export function MarkdownNodes({ nodes, isCode = false }: { nodes: readonly MarkdownNode[]; isCode?: boolean }) {
  return nodes.map((node, index) =>
    typeof node === 'string' ? (
      <VisibleText key={index} text={node} place={isCode ? 'code' : 'prose'} />
    ) : (
      <Fragment key={index}>{draw(node, isCode)}</Fragment>
    ),
  );
}

const HEADINGS = {
  h2: 'text-lg',
  h3: 'text-base',
  h4: 'text-sm',
  h5: 'text-sm text-muted',
  h6: 'text-sm text-muted',
};

const ALIGNMENTS = { left: 'text-left', center: 'text-center', right: 'text-right' };

function draw(element: MarkdownElement, isCode: boolean): ReactNode {
  const { tag, children } = element;
  const isCodeInside = isCode || tag === 'pre' || tag === 'code';
  const inside = <MarkdownNodes nodes={children} isCode={isCodeInside} />;
  switch (tag) {
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6': {
      const Heading = tag;
      return (
        <Block lines={element.lines}>
          <Heading data-line={element.lines?.from} className={`pt-1 font-semibold ${HEADINGS[tag]}`}>
            {inside}
          </Heading>
        </Block>
      );
    }
    case 'p':
      return (
        <Block lines={element.lines}>
          <p data-line={element.lines?.from}>{inside}</p>
        </Block>
      );
    case 'blockquote':
      return <blockquote className="space-y-2 border-l-2 border-line-strong pl-3 text-muted">{inside}</blockquote>;
    case 'ul':
      return <ul className="list-disc space-y-1 pl-5 marker:text-muted">{inside}</ul>;
    case 'ol':
      return (
        <ol className="list-decimal space-y-1 pl-6 marker:text-muted" start={element.start ?? 1}>
          {inside}
        </ol>
      );
    case 'li': {
      const isTask = children.some((child) => typeof child === 'object' && hasTask(child));
      return (
        <li data-line={element.lines?.from} className={isTask ? '-ml-5 list-none' : '[&>ol]:mt-1 [&>ul]:mt-1'}>
          <Block lines={element.lines}>{inside}</Block>
        </li>
      );
    }
    case 'pre':
      return (
        <Block lines={element.lines}>
          <pre
            data-line={element.lines?.from}
            // Keyboard users must be able to scroll wide code.
            tabIndex={0}
            dir="ltr"
            className="overflow-x-auto rounded-md border border-line bg-canvas px-3 py-2 font-mono text-xs leading-5 [&_code]:border-0 [&_code]:bg-transparent [&_code]:p-0 [&_code]:text-xs"
          >
            {inside}
          </pre>
        </Block>
      );
    case 'code':
      return <code className="rounded border border-line bg-canvas px-1 py-px font-mono text-[0.85em]">{inside}</code>;
    case 'em':
      return <em>{inside}</em>;
    case 'strong':
      return <strong className="font-semibold">{inside}</strong>;
    case 'del':
      return <del>{inside}</del>;
    case 'sup':
      return <sup>{inside}</sup>;
    case 'br':
      return <br />;
    case 'hr':
      return <hr className="border-line" />;
    case 'a':
      return <Link address={element.href ?? ''} nodes={children} />;
    case 'img':
      return <Image alt={element.alt ?? ''} address={element.src ?? ''} />;
    case 'input':
      return <Task isDone={element.checked === true} />;
    case 'table':
      return (
        <Block lines={element.lines}>
          <div
            tabIndex={0}
            role="region"
            aria-label={texts.table}
            data-line={element.lines?.from}
            className="overflow-x-auto"
          >
            <table className="border-collapse text-sm">{inside}</table>
          </div>
        </Block>
      );
    case 'thead':
      return <thead>{inside}</thead>;
    case 'tbody':
      return <tbody>{inside}</tbody>;
    case 'tr':
      return <tr>{inside}</tr>;
    case 'th':
      return (
        <th
          scope="col"
          className={`border border-line bg-canvas px-2 py-1 font-medium ${ALIGNMENTS[element.align ?? 'left']}`}
        >
          {inside}
        </th>
      );
    case 'td':
      return <td className={`border border-line px-2 py-1 ${ALIGNMENTS[element.align ?? 'left']}`}>{inside}</td>;
    case 'section':
      return <div className="space-y-2 border-t border-line pt-2 text-sm text-muted">{inside}</div>;
  }
}

function Block({ lines, children }: { lines: MarkdownElement['lines']; children: ReactNode }) {
  const parts = use(BlockContext);
  if (parts === null || lines === undefined) return children;
  return (
    <>
      {parts.beside(lines)}
      {children}
      {parts.below(lines)}
    </>
  );
}

function Link({ address, nodes }: { address: string; nodes: readonly MarkdownNode[] }) {
  const link = toPlacedLink(address);
  if (link === null) return <MarkdownNodes nodes={nodes} />;
  return (
    <>
      <a
        href={link.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className="text-accent-text underline underline-offset-2 [overflow-wrap:anywhere]"
      >
        <MarkdownNodes nodes={nodes} />
      </a>
      {!saysPlace(toText(nodes), link) && (
        <span className="text-xs text-muted [overflow-wrap:anywhere]"> ({toVisible(link.place)})</span>
      )}
    </>
  );
}

function Image({ alt, address }: { alt: string; address: string }) {
  const from = address.startsWith('data:') ? texts.embedded : toImageHost(address);
  return (
    <span className="rounded border border-line bg-canvas px-1 text-xs text-muted [overflow-wrap:anywhere]">
      {toVisible(texts.image(alt === '' ? texts.noAlt : alt, from))}
    </span>
  );
}

function Task({ isDone }: { isDone: boolean }) {
  return (
    <span
      role="img"
      aria-label={isDone ? texts.task.done : texts.task.open}
      className="mr-1.5 inline-flex size-3.5 items-center justify-center overflow-clip align-[-0.15em] rounded-sm border border-line-strong text-[0.625rem] leading-none"
    >
      {isDone && <Icon name="check" className="size-3" />}
    </span>
  );
}

function hasTask(element: MarkdownElement): boolean {
  if (element.tag === 'input') return true;
  const [first] = element.children;
  return element.tag === 'p' && typeof first === 'object' && first.tag === 'input';
}

function toText(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => (typeof node === 'string' ? node : toText(node.children))).join('');
}
