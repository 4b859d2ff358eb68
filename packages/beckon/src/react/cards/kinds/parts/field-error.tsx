import { Icon } from '../../ui/icon.tsx';

/** The error of a field, which refers to it by `id`. */
export function FieldError({ id, children }: { id: string; children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p id={id} className="flex items-start gap-1 text-xs text-danger [overflow-wrap:anywhere]">
      <Icon name="warning" className="mt-0.5 size-3.5" />
      {children}
    </p>
  );
}
