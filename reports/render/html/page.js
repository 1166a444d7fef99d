
// A filter above each table with more rows than a look takes in.
for (const table of document.querySelectorAll('table')) {
  const rows = [...table.tBodies[0].rows];
  if (rows.length < 10) continue;
  const texts = rows.map((row) => [...row.cells].map((cell) => cell.textContent.toLowerCase()).join('\n'));
  const label = document.createElement('label');
  const field = document.createElement('input');
  const count = document.createElement('output');
  field.type = 'search';
  label.append('Filter', field, count);
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/);
    rows.forEach((row, index) => { row.hidden = !words.every((word) => texts[index].includes(word)); });
    const shown = rows.filter((row) => !row.hidden).length;
    count.value = shown === rows.length ? `${shown} rows` : `${shown} of ${rows.length} rows`;
  };
  field.addEventListener('input', filter);
  filter();
  table.parentElement.before(label);
}
