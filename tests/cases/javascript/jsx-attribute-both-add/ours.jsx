export function Panel({ title, onClose }) {
  return (
    <section id={title} className="panel">
      <h1>{title}</h1>
      <button type="button" onClick={onClose}>x</button>
    </section>
  );
}
