(() => {
  const PAGE = 100;
  const SVG = "http://www.w3.org/2000/svg";
  const READABLE = 1, COPYING = 2, DELETING = 4, GAP = 8;
  const byId = id => document.getElementById(id);
  const filter = byId("filter"), wrong = byId("wrong"), order = byId("order"), maps = byId("maps"), more = byId("more"), shown = byId("shown");

  const collator = new Intl.Collator("en", {numeric: true});
  const name = row => row.topic + "-" + row.partition;
  const orders = {
    name: (a, b) => collator.compare(name(a), name(b)),
    bytes: (a, b) => b.bytes - a.bytes,
    segments: (a, b) => b.segments - a.segments,
    anomalies: (a, b) => b.anomalies - a.anomalies || orders.name(a, b)
  };
  let rows = [];
  let limit = PAGE;

  const size = bytes => {
    const units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let unit = 0;
    for (; bytes >= 1024 && unit < units.length - 1; unit++) bytes /= 1024;
    return (unit ? bytes.toFixed(1) : bytes) + " " + units[unit];
  };

  const rect = (x, y, width, height, kind, title) => {
    const shape = document.createElementNS(SVG, "rect");
    shape.setAttribute("x", x);
    shape.setAttribute("y", y);
    shape.setAttribute("width", width);
    shape.setAttribute("height", height);
    shape.setAttribute("class", kind);
    const text = document.createElementNS(SVG, "title");
    text.textContent = title;
    shape.append(text);
    return shape;
  };

  const draw = (svg, row) => {
    let x = 0;
    const origin = row.start === "" ? 0n : BigInt(row.start), width = BigInt(row.width);
    for (const [stretches, marks, epoch] of row.runs) {
      const from = origin + BigInt(x) * width, to = from + BigInt(stretches) * width - 1n;
      const where = "offsets " + from + " to " + to + ", epoch " + epoch;
      if (marks & READABLE) svg.append(rect(x, 0, stretches, 20, epoch % 2 ? "odd" : "even", "readable: " + where));
      if (marks & COPYING) svg.append(rect(x, 0, stretches, 10, "copying", "upload under way: " + where));
      if (marks & DELETING) svg.append(rect(x, 10, stretches, 10, "deleting", "deletion under way: " + where));
      if (marks & GAP) svg.append(rect(x, 8, Math.max(stretches, 1), 4, "gap", "gap: " + where));
      x += stretches;
    }
    svg.setAttribute("viewBox", "0 0 " + Math.max(x, 1) + " 20");
  };

  const undrawn = new IntersectionObserver(entries => {
    for (const entry of entries) {
      if (entry.isIntersecting) {
        undrawn.unobserve(entry.target);
        draw(entry.target, entry.target.row);
      }
    }
  }, {rootMargin: "400px"});

  const element = (tag, className, text) => {
    const made = document.createElement(tag);
    made.className = className;
    made.textContent = text;
    return made;
  };

  const item = row => {
    const li = document.createElement("li");
    li.tabIndex = -1;
    const title = element("div", "name", name(row));
    title.append(element("small", "", row.topicId));
    const map = document.createElement("div");
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", row.segments
      ? name(row) + ": offsets " + row.start + " to " + row.end + ", " + row.segments + " segments"
      : name(row) + ": no segments");
    svg.row = row;
    undrawn.observe(svg);
    const ends = element("div", "ends", "");
    ends.append(element("span", "", row.start), element("span", "", row.end));
    map.append(svg, ends);
    const facts = element("div", "facts", row.segments.toLocaleString("en") + " segments, " + size(row.bytes));
    if (row.anomalies) facts.append(document.createElement("br"), element("b", "", row.anomalies + (row.anomalies === 1 ? " anomaly" : " anomalies")));
    li.append(title, map, facts);
    return li;
  };

  const render = () => {
    maps.replaceChildren(...rows.slice(0, limit).map(item));
    if (maps.firstChild) maps.firstChild.tabIndex = 0;
    more.hidden = rows.length <= limit;
    shown.textContent = Math.min(limit, rows.length) + " of " + rows.length + " shown, " + PARTITIONS.length + " in all";
  };

  const choose = () => {
    const words = filter.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    rows = PARTITIONS.filter(row => (!wrong.checked || row.anomalies)
      && words.every(word => (name(row) + " " + row.topicId + " " + row.cluster).toLowerCase().includes(word)));
    rows.sort(orders[order.value]);
    limit = PAGE;
    render();
  };

  const move = (from, step) => {
    const next = step > 0 ? from.nextElementSibling : from.previousElementSibling;
    if (next) {
      from.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    }
  };

  filter.addEventListener("input", choose);
  wrong.addEventListener("change", choose);
  order.addEventListener("change", choose);
  more.addEventListener("click", () => {
    const first = limit;
    limit += PAGE;
    render();
    maps.children[first].focus();
  });
  maps.addEventListener("keydown", event => {
    const row = event.target.closest("li");
    if (row && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      event.preventDefault();
      move(row, event.key === "ArrowDown" ? 1 : -1);
    }
  });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== filter) {
      event.preventDefault();
      filter.focus();
    } else if (event.key === "Escape" && document.activeElement === filter) {
      filter.value = "";
      choose();
    }
  });
  choose();
})();
