//! Shows the model. Changes nothing: the layout was known before, and cursors were settled by the update.

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::actions::Action;
use super::layout::{Focus, Layout, SMALLEST};
use super::model::{Model, Overlay, Phase};
use super::panes::{diff, side, tree};
use super::theme::Role;
use super::widgets::brush::Brush;
use super::widgets::{bars, notice, overlay, picker};

/// Draws one frame. A frame of another size than the model knows stays empty: the next one is right.
pub fn draw(model: &Model, frame: &mut Frame<'_>) {
    let area = frame.area();
    if area.as_size() == model.size {
        paint(model, frame.buffer_mut());
    }
}

/// Draws into a buffer of the model's size.
pub fn paint(model: &Model, buf: &mut Buffer) {
    let area = buf.area;
    buf.set_style(area, model.look.role(Role::Text));
    let Some(layout) = model.layout() else { return too_small(model, buf) };
    bars::header(model, buf, layout.header);
    if let Some(area) = layout.moved {
        bars::moved(model, buf, area);
    }
    match &model.phase {
        Phase::Loading => notice::loading(model, buf, layout.body),
        Phase::Failed(problem) => notice::failed(model, problem, buf, layout.body),
        Phase::Listed | Phase::Open(_) if model.tree.rows.is_empty() => notice::empty(model, buf, layout.body),
        Phase::Listed | Phase::Open(_) => panes(model, buf, &layout),
    }
    bars::toast(model, buf, layout.body);
    bars::footer(model, buf, layout.footer);
    match &model.overlay {
        Some(Overlay::Text(kind, top)) => overlay::draw(model, *kind, *top, buf, layout.body),
        Some(Overlay::List(list)) => picker::draw(model, list, buf, layout.body),
        None => {}
    }
}

fn too_small(model: &Model, buf: &mut Buffer) {
    let area = buf.area;
    let words = [
        format!("{}x{} is too small", area.width, area.height),
        format!("{}x{} is needed", SMALLEST.width, SMALLEST.height),
        format!("{} quits", model.keys.key_of(Action::Quit)),
    ];
    for (row, text) in words.iter().enumerate().take(usize::from(area.height)) {
        Brush::new(buf, &model.look, area, row as u16, model.look.role(Role::Text)).role(text, Role::Text);
    }
}

fn panes(model: &Model, buf: &mut Buffer, layout: &Layout) {
    let Some(reader) = &model.reader else { return };
    let look = &model.look;
    for area in &layout.separators {
        separator(model, buf, *area);
    }
    if let Some(area) = layout.tree {
        let focused = model.focus == Focus::Tree;
        tree::draw::Scene { tree: &model.tree, review: model.review(), reader, focused, look }.draw(buf, area);
    }
    if let Some((banner, rows)) = model.diff_areas() {
        let focused = model.focus == Focus::Diff;
        bars::banner(model, buf, banner, focused);
        let scene =
            diff::draw::Scene { diff: &model.diff, reader, shelf: &model.shelf, cites: &model.cites, focused, look };
        scene.draw(buf, rows);
    }
    if let Some(area) = layout.side {
        let rows = model.side_rows();
        let name = model.part().map_or("", |part| part.part.name.as_str());
        let focused = model.focus == Focus::Side;
        side::draw::Scene { side: &model.side, rows: &rows, name, focused, look }.draw(buf, area);
    }
}

fn separator(model: &Model, buf: &mut Buffer, area: Rect) {
    let style = model.look.role(Role::Separator);
    let glyph = if style.bg.is_some() { " " } else { model.look.glyphs.separator };
    for row in 0..area.height {
        Brush::new(buf, &model.look, area, row, style).glyph(glyph, style);
    }
}
